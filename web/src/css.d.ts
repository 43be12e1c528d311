/* esbuild bundles style sheets by their import. */
declare module "*.css";
