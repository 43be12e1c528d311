# The tables of src/games/pokemon are what the pinned package gives.  Skipped where it is not
# installed: npm ci --prefix tools/showdown --ignore-scripts
package=${PS_DIR:-tools/showdown/node_modules/pokemon-showdown}
# npm writes its own list last: while another test tries to install, the package is not all there
if [ ! -d "$package" ] || [ ! -e "${PS_DIR:-tools/showdown/node_modules/.package-lock.json}" ] || ! command -v node >/dev/null; then
    echo "SKIPPED: no $package (npm ci --prefix tools/showdown --ignore-scripts)"
    exit 77
fi
node tools/make_dex.js --check --teams 3000
