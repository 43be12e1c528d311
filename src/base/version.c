/* The version of the library, as a number and as text. */
#include <banyan/version.h>

#define VERSION_WORD(number) #number
#define VERSION_TEXT(major, minor, patch) \
    VERSION_WORD(major) "." VERSION_WORD(minor) "." VERSION_WORD(patch)

uint32_t banyan_version(void)
{
    return BANYAN_VERSION_NUMBER;
}

const char *banyan_version_text(void)
{
    return VERSION_TEXT(BANYAN_VERSION_MAJOR, BANYAN_VERSION_MINOR, BANYAN_VERSION_PATCH);
}
