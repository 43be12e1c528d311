/* Reads the lines of a human: with libedit at a terminal, without editing elsewhere. */
#include "cli/play_line.h"
#include "cli/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

#ifdef BANYAN_LIBEDIT
#include <histedit.h> /* and wchar_t */
#endif

enum { LINE_WIDTH = 80, LINE_HISTORY = 500 };

struct play_lines {
    bool typed;
    const char *prompt; /* printed before the line that is being read */
#ifdef BANYAN_LIBEDIT
    EditLine *editor; /* NULL: lines are read without editing */
    History *history;
#endif
};

/* --- colours --- */

static int line_width(void)
{
    struct winsize size;
    if (isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    return LINE_WIDTH;
}

void play_style_open(struct play_style *style)
{
    const char *terminal = getenv("TERM"), *refused = getenv("NO_COLOR");
    bool colours = isatty(1) && !(refused && *refused) && terminal && *terminal &&
                   strcmp(terminal, "dumb") != 0;
    *style = (struct play_style){"", "", "", "", "", "", 0};
    if (colours)
        *style = (struct play_style){"\033[36m", "\033[2m", "\033[33m", "\033[31m",
                                     "\033[1m",  "\033[0m", 0};
    style->width = line_width();
}

/* --- waiting --- */

/* Waits until something has been typed; false: Ctrl-C came first.  The signal is blocked between the check
 * whether it has come and the wait, so that it cannot be missed. */
static bool line_wait(void)
{
    sigset_t interrupt, before;
    int ready = -1;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    while (!interrupt_seen() && ready < 0) {
        fd_set descriptors;
        FD_ZERO(&descriptors);
        FD_SET(0, &descriptors);
        ready = pselect(1, &descriptors, NULL, NULL, NULL, &before);
        if (ready < 0 && errno != EINTR)
            break;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ready > 0;
}

/* --- libedit --- */

#ifdef BANYAN_LIBEDIT

static char *line_prompt(EditLine *editor)
{
    void *lines;
    el_get(editor, EL_CLIENTDATA, &lines);
    return (char *)(size_t)((struct play_lines *)lines)->prompt;
}

/* Reads one character for libedit, whose own function would go on reading after a signal. */
static int line_character(EditLine *editor, wchar_t *out)
{
    unsigned char byte;
    (void)editor;
    if (!line_wait())
        return -1;
    ssize_t count = read(0, &byte, 1);
    if (count == 1)
        *out = (wchar_t)byte;
    return (int)count;
}

static void line_open_editor(struct play_lines *lines)
{
    HistEvent event;
    lines->history = history_init();
    lines->editor = el_init("banyan", stdin, stdout, stderr);
    if (!lines->history || !lines->editor)
        return;
    history(lines->history, &event, H_SETSIZE, LINE_HISTORY);
    history(lines->history, &event, H_SETUNIQUE, 1);
    el_set(lines->editor, EL_CLIENTDATA, lines);
    el_set(lines->editor, EL_PROMPT, line_prompt);
    el_set(lines->editor, EL_EDITOR, "emacs");
    el_set(lines->editor, EL_HIST, history, lines->history);
    el_set(lines->editor, EL_GETCFN, line_character);
    el_source(lines->editor, NULL);
}

static void line_close_editor(struct play_lines *lines)
{
    if (lines->editor)
        el_end(lines->editor);
    if (lines->history)
        history_end(lines->history);
}

static bool line_edited(struct play_lines *lines, char *out, size_t size)
{
    HistEvent event;
    int count = 0;
    el_set(lines->editor, EL_PREP_TERM, 1); /* before the prompt: Ctrl-D may follow immediately */
    const char *line = el_gets(lines->editor, &count);
    if (!line || count <= 0)
        return false;
    snprintf(out, size, "%s", line);
    if (line[strspn(line, " \t\r\n")])
        history(lines->history, &event, H_ENTER, line);
    return true;
}

static bool line_has_editor(const struct play_lines *lines)
{
    return lines->editor && lines->history;
}

#else

static void line_open_editor(struct play_lines *lines)
{
    (void)lines;
}

static void line_close_editor(struct play_lines *lines)
{
    (void)lines;
}

static bool line_edited(struct play_lines *lines, char *out, size_t size)
{
    (void)lines, (void)out, (void)size;
    return false;
}

static bool line_has_editor(const struct play_lines *lines)
{
    (void)lines;
    return false;
}

#endif

/* --- lines --- */

struct play_lines *play_lines_open(void)
{
    struct play_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    lines->typed = isatty(0);
    lines->prompt = "";
    const char *terminal = getenv("TERM");
    if (lines->typed && isatty(1) && terminal && strcmp(terminal, "dumb") != 0)
        line_open_editor(lines);
    return lines;
}

void play_lines_close(struct play_lines *lines)
{
    if (!lines)
        return;
    line_close_editor(lines);
    free(lines);
}

bool play_lines_typed(const struct play_lines *lines)
{
    return lines->typed;
}

static bool line_plain(struct play_lines *lines, char *out, size_t size)
{
    if (lines->typed)
        fputs(lines->prompt, stdout);
    fflush(stdout);
    if ((lines->typed && !line_wait()) || !fgets(out, (int)size, stdin))
        return false;
    if (strchr(out, '\n'))
        return true;
    for (int c = getchar(); c != EOF && c != '\n';) /* the rest of a line that is too long */
        c = getchar();
    return true;
}

char *play_lines_read(struct play_lines *lines, const char *prompt, char *out, size_t size)
{
    lines->prompt = prompt;
    fflush(stdout);
    if (interrupt_seen() ||
        !(line_has_editor(lines) ? line_edited(lines, out, size) : line_plain(lines, out, size)))
        return NULL;
    out[strcspn(out, "\r\n")] = 0;
    char *start = out + strspn(out, " \t");
    for (size_t n = strlen(start); n > 0 && strchr(" \t", start[n - 1]); --n)
        start[n - 1] = 0;
    return start;
}
