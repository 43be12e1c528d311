/* Draws Blood Bowl positions as SVG, and recorded games as pages. */
#include "records/bloodbowl_page.h"

#include "games/bloodbowl/text.h"

enum {
    PAGE_CELL = 32,
    PAGE_TOP = 58, /* height of the two lines with the score, and with clock and decision */
    PAGE_ROW = 30, /* height of a row of a dugout */
    PAGE_LABEL = 94
};

struct page_spot {
    int x, y; /* of the centre */
};

static const char *const page_places[BB_PLACES] = {"reserves", "knocked out", "casualties",
                                                   "sent off"};

static int page_width(const struct bb_variant *v)
{
    return v->width * PAGE_CELL < 640 ? 640 : v->width * PAGE_CELL;
}

static int page_left(const struct bb_variant *v)
{
    return (page_width(v) - v->width * PAGE_CELL) / 2;
}

static int page_height(const struct bb_variant *v)
{
    return PAGE_TOP + v->height * PAGE_CELL + 10 + BB_PLACES * PAGE_ROW + 6;
}

static struct page_spot page_square(const struct bb_variant *v, int square)
{
    return (struct page_spot){page_left(v) + bb_x(square) * PAGE_CELL + PAGE_CELL / 2,
                              PAGE_TOP + bb_y(square) * PAGE_CELL + PAGE_CELL / 2};
}

/* A place in a dugout.  Away's dugout is under the left half of the pitch, home's under the right
 * half. */
static struct page_spot page_bench(const struct bb_state *s, int team, int place, int index)
{
    const struct bb_variant *v = &bb_variants[s->variant];
    int half = page_width(v) / 2, room = half - PAGE_LABEL - 20, players = 1;
    for (int i = 0; i < BB_PLAYERS; ++i)
        players += s->player[i].number && bb_team_of(i) == team;
    int gap = room / players < 26 ? room / players : 26;
    return (struct page_spot){(team == BB_HOME ? half : 0) + PAGE_LABEL + 18 + index * gap,
                              PAGE_TOP + v->height * PAGE_CELL + 10 + place * PAGE_ROW +
                                  PAGE_ROW / 2};
}

static struct page_spot page_spot_of(const struct bb_state *s, int player)
{
    const struct bb_variant *v = &bb_variants[s->variant];
    int t = bb_team_of(player);
    if (s->player[player].square != BB_NOWHERE)
        return page_square(v, s->player[player].square);
    for (int place = 0; place < BB_PLACES; ++place)
        for (int i = 0; i < s->team[t].listed[place]; ++i)
            if (s->team[t].list[place][i] == player)
                return page_bench(s, t, place, i);
    return page_bench(s, t, BB_RESERVES, player % BB_TEAM_MAX); /* before the game */
}

/* The class of a player's state, which the style sheet and the script use. */
static const char *page_class(const struct bb_state *s, int player)
{
    unsigned flags = s->player[player].flags;
    if (s->player[player].square == BB_NOWHERE)
        return "off";
    if (flags & BB_STUNNED)
        return "stunned";
    if (!(flags & BB_UP))
        return flags & BB_USED ? "prone used" : "prone";
    return player == s->active ? "up active" : flags & BB_USED ? "up used" : "up";
}

/* --- the pitch --- */

static const char page_style[] =
    "text{font-family:'DejaVu Sans',Verdana,sans-serif;fill:#222}"
    ".home .disc{fill:#b3261e}.away .disc{fill:#1f4e9c}"
    ".disc{stroke:#fff;stroke-width:1.5}.player text{fill:#fff;font-size:13px;font-weight:bold;"
    "text-anchor:middle}"
    ".home.used .disc{fill:#d68f88}.away.used .disc{fill:#8aa5d1}"
    ".prone .disc,.stunned .disc{stroke-dasharray:4 3;stroke-width:2}"
    ".home.prone .disc{fill:#f6dedb;stroke:#b3261e}.away.prone .disc{fill:#dbe6f6;stroke:#1f4e9c}"
    ".home.prone text{fill:#b3261e}.away.prone text{fill:#1f4e9c}"
    ".stunned .disc{fill:#4a4a4a}.home.stunned .disc{stroke:#ff9a90}.away.stunned .disc{stroke:"
    "#9cc0ff}.prone text,.stunned text{font-style:italic}"
    ".active .disc{stroke:#ffd500;stroke-width:4}"
    ".crowd{fill:#6d6a65}.grass{fill:#4f8f3a}.zone{fill:#3f7a5a}.grid{stroke:#3c7030;"
    "stroke-width:1}.line{stroke:#fff;stroke-width:2}.wide{stroke:#fff;stroke-width:1;"
    "stroke-dasharray:6 5}.label{font-size:12px;fill:#555}.score{font-size:17px;font-weight:bold;"
    "text-anchor:middle}.what{font-size:12px;text-anchor:end}";

static void page_rect(FILE *out, const char *style, int x, int y, int w, int h)
{
    fprintf(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", style, x, y,
            w, h);
}

static void page_line(FILE *out, const char *style, int x1, int y1, int x2, int y2)
{
    fprintf(out, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", style, x1, y1,
            x2, y2);
}

static void page_pitch(const struct bb_variant *v, FILE *out)
{
    int left = page_left(v), c = PAGE_CELL, top = PAGE_TOP;
    int right = left + (v->width - 1) * c, bottom = top + (v->height - 1) * c;
    page_rect(out, "crowd", left, top, v->width * c, v->height * c);
    page_rect(out, "grass", left + c, top + c, right - left - c, bottom - top - c);
    page_rect(out, "zone", left + c, top + c, c, bottom - top - c);
    page_rect(out, "zone", right - c, top + c, c, bottom - top - c);
    for (int x = 2; x < v->width - 1; ++x)
        page_line(out, "grid", left + x * c, top + c, left + x * c, bottom);
    for (int y = 2; y < v->height - 1; ++y)
        page_line(out, "grid", left + c, top + y * c, right, top + y * c);
    page_line(out, "wide", left + c, top + v->centre_top * c, right, top + v->centre_top * c);
    page_line(out, "wide", left + c, top + (v->centre_bottom + 1) * c, right,
              top + (v->centre_bottom + 1) * c);
    page_line(out, "line", left + 2 * c, top + c, left + 2 * c, bottom);
    page_line(out, "line", right - c, top + c, right - c, bottom);
    page_line(out, "line", left + v->width / 2 * c, top + c, left + v->width / 2 * c, bottom);
}

static void page_benches(const struct bb_state *s, FILE *out)
{
    for (int t = BB_HOME; t <= BB_AWAY; ++t)
        for (int place = 0; place < BB_PLACES; ++place) {
            struct page_spot at = page_bench(s, t, place, 0);
            fprintf(out, "<text class=\"label\" x=\"%d\" y=\"%d\">%s%s</text>\n",
                    at.x - PAGE_LABEL - 10, at.y + 4,
                    place          ? ""
                    : t == BB_HOME ? "home "
                                   : "away ",
                    page_places[place]);
        }
}

/* --- what changes from step to step --- */

static void page_score(const struct bb_state *s, FILE *out)
{
    fprintf(out, "away %d : %d home", s->team[BB_AWAY].score, s->team[BB_HOME].score);
}

static void page_clock(const struct bb_state *s, FILE *out)
{
    fprintf(out, "half %d, turns %d : %d, rerolls %d : %d, %s", s->half, s->team[BB_AWAY].turn,
            s->team[BB_HOME].turn, s->team[BB_AWAY].rerolls, s->team[BB_HOME].rerolls,
            bb_in_words(bb_weather_names[s->weather]).text);
}

static void page_asked(const struct bb_state *s, FILE *out)
{
    int asked = bb_asked(s);
    if (asked == BB_NOBODY)
        fprintf(out, "the game is over");
    else
        fprintf(out, "%s decides: %s", asked == BB_HOME ? "home" : "away",
                bb_in_words(bb_procedure_names[s->frame[s->depth - 1].procedure]).text);
}

static void page_players(const struct bb_state *s, FILE *out)
{
    for (int i = 0; i < BB_PLAYERS; ++i) {
        if (!s->player[i].number)
            continue;
        struct page_spot at = page_spot_of(s, i);
        fprintf(out,
                "<g id=\"%s\" class=\"player %s %s\" transform=\"translate(%d,%d)\"><circle "
                "class=\"disc\" r=\"12\"/><text y=\"5\">%d</text></g>\n",
                bb_player_name(s, i).text, bb_team_of(i) == BB_HOME ? "home" : "away",
                page_class(s, i), at.x, at.y, s->player[i].number);
    }
}

/* The place of the ball: next to its carrier's head, so that both can be seen. */
static struct page_spot page_ball(const struct bb_state *s)
{
    if (!s->ball_out)
        return (struct page_spot){-50, -50};
    struct page_spot at = page_square(&bb_variants[s->variant], s->ball);
    bool taken = s->pitch[s->ball] != 0;
    return (struct page_spot){at.x + (taken ? 9 : 0), at.y - (taken ? 9 : 0)};
}

void bloodbowl_page_svg(const struct bb_state *s, FILE *out)
{
    const struct bb_variant *v = &bb_variants[s->variant];
    struct page_spot ball = page_ball(s);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\">\n<style>%s</style>\n",
            page_width(v), page_height(v), page_width(v), page_height(v), page_style);
    page_rect(out, "paper\" fill=\"#f4f1ea", 0, 0, page_width(v), page_height(v));
    fprintf(out, "<text id=\"clock\" class=\"label\" x=\"6\" y=\"46\">");
    page_clock(s, out);
    fprintf(out, "</text>\n<text id=\"score\" class=\"score\" x=\"%d\" y=\"24\">",
            page_width(v) / 2);
    page_score(s, out);
    fprintf(out, "</text>\n<text id=\"asked\" class=\"what\" x=\"%d\" y=\"46\">",
            page_width(v) - 6);
    page_asked(s, out);
    fprintf(out, "</text>\n");
    page_pitch(v, out);
    page_benches(s, out);
    page_players(s, out);
    fprintf(out,
            "<g id=\"ball\" transform=\"translate(%d,%d)\"><ellipse rx=\"8\" ry=\"5.5\" "
            "fill=\"#c98a3c\" stroke=\"#3b2207\" stroke-width=\"1.5\" "
            "transform=\"rotate(-25)\"/></g>\n</svg>\n",
            ball.x, ball.y);
}

/* --- the page --- */

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\"><title>%s</title>\n<style>"
    "body{font-family:'DejaVu Sans',Verdana,sans-serif;background:#e8e4da;margin:12px}"
    "svg{max-width:100%%;height:auto;display:block;margin:auto}"
    "#bar{display:flex;gap:8px;max-width:900px;margin:8px auto;align-items:center}"
    "#at{flex:1}#log{max-width:900px;height:230px;overflow-y:scroll;margin:auto;background:#fff;"
    "font-size:13px;padding:4px;border:1px solid #999}#log div{cursor:pointer;padding:1px 4px}"
    "#log .now{background:#ffe58a}#log .home b{color:#b3261e}#log .away b{color:#1f4e9c}"
    "#log i{color:#555}</style></head><body>\n";

static const char page_script[] =
    "];\nlet now=0,timer=null;const at=document.getElementById('at'),"
    "log=document.getElementById('log'),$=i=>document.getElementById(i);\n"
    "at.max=steps.length-1;\n"
    "steps.forEach((s,i)=>{const d=document.createElement('div');d.className=s.w;"
    "const b=document.createElement('b');b.textContent=s.a;d.append(i+'. ',b);"
    "if(s.d){const e=document.createElement('i');e.textContent='  '+s.d;d.append(e)}"
    "d.onclick=()=>show(i);log.append(d)});\n"
    "function show(i){now=Math.max(0,Math.min(steps.length-1,i));const s=steps[now];"
    "for(const [id,x,y,c] of s.p){const g=$(id);"
    "g.setAttribute('transform','translate('+x+','+y+')');"
    "g.setAttribute('class','player '+(id[0]=='H'?'home ':'away ')+c)}"
    "$('ball').setAttribute('transform','translate('+s.b[0]+','+s.b[1]+')');"
    "$('score').textContent=s.s;$('clock').textContent=s.c;$('asked').textContent=s.q;"
    "at.value=now;for(const d of log.querySelectorAll('.now'))d.classList.remove('now');"
    "const d=log.children[now];d.classList.add('now');"
    "log.scrollTop=d.offsetTop-log.offsetTop-log.clientHeight/2}\n"
    "function play(){if(timer){clearInterval(timer);timer=null}else timer=setInterval(()=>{"
    "now+1<steps.length?show(now+1):play()},400);$('play').textContent=timer?'stop':'play'}\n"
    "at.oninput=()=>show(+at.value);$('back').onclick=()=>show(now-1);"
    "$('on').onclick=()=>show(now+1);$('play').onclick=play;\n"
    "onkeydown=e=>{if(e.key=='ArrowRight')show(now+1);else if(e.key=='ArrowLeft')show(now-1);"
    "else if(e.key==' ')play();else return;e.preventDefault()};\nshow(0);\n"
    "</script></body></html>\n";

void bloodbowl_page_begin(const struct bb_state *first, const char *title, FILE *out)
{
    fprintf(out, page_head, title);
    bloodbowl_page_svg(first, out);
    fprintf(
        out,
        "<div id=\"bar\"><button id=\"back\">&#9664;</button><button id=\"on\">&#9654;</button>"
        "<button id=\"play\">play</button><input id=\"at\" type=\"range\" min=\"0\" value=\"0\">"
        "</div>\n<div id=\"log\"></div>\n<script>\nconst steps=[\n");
    bloodbowl_page_step(NULL, NULL, NULL, 0, first, out);
}

static void page_dice(const struct banyan_die *dice, int count, FILE *out)
{
    static const char *const faces[] = {"",         "attacker down", "both down", "push",
                                        "stumbles", "defender down", "push"};
    for (int i = 0; i < count; ++i) {
        bool first = i == 0 || dice[i].kind != dice[i - 1].kind;
        const char *between = i == 0 ? "" : first ? "; " : ", ";
        fprintf(out, "%s%s%s", between, first ? bb_die_names[dice[i].kind] : "", first ? " " : "");
        if (dice[i].kind == BB_DIE_BLOCK && dice[i].value >= 1 && dice[i].value <= 6)
            fprintf(out, "%s", faces[dice[i].value]);
        else
            fprintf(out, "%d", (int)dice[i].value);
    }
}

void bloodbowl_page_step(const struct bb_state *before, const struct bb_action *action,
                         const struct banyan_die *dice, int dice_count,
                         const struct bb_state *after, FILE *out)
{
    char text[128] = "start";
    struct page_spot ball = page_ball(after);
    int who = before ? bb_asked(before) : BB_NOBODY;
    if (before)
        bb_action_format(before, action, text, sizeof text);
    if (before && before->active != BB_NONE && action->player == BB_NONE)
        fprintf(out, "{w:'%s',a:'%s: %s',d:'", who == BB_HOME ? "home" : "away",
                bb_player_name(before, before->active).text, text);
    else
        fprintf(out, "{w:'%s',a:'%s',d:'",
                who == BB_HOME   ? "home"
                : who == BB_AWAY ? "away"
                                 : "",
                text);
    page_dice(dice, dice_count, out);
    fprintf(out, "',s:'");
    page_score(after, out);
    fprintf(out, "',c:'");
    page_clock(after, out);
    fprintf(out, "',q:'");
    page_asked(after, out);
    fprintf(out, "',b:[%d,%d],p:[", ball.x, ball.y);
    for (int i = 0; i < BB_PLAYERS; ++i) {
        if (!after->player[i].number)
            continue;
        struct page_spot at = page_spot_of(after, i);
        fprintf(out, "['%s',%d,%d,'%s'],", bb_player_name(after, i).text, at.x, at.y,
                page_class(after, i));
    }
    fprintf(out, "]},\n");
}

void bloodbowl_page_end(FILE *out)
{
    fputs(page_script, out);
}
