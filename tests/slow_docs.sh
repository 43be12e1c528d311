#!/bin/sh
# The command blocks of the pages that take long, to their ends.  Argument: the build folder.
exec sh "$(dirname "$0")/test_docs.sh" "$1" --long
