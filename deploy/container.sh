#!/bin/sh
# The steps of the Containerfile, in the folder with the sources. tests/integration/deploy.test.ts runs them too.
set -eu
cd "$(dirname "$0")/.."

case "${1:-}" in
  install) # needs only package.json, package-lock.json and .npmrc
    npm ci
    ;;
  build)
    npm run build
    npm prune --omit=dev --no-save
    ;;
  prepare) # creates the data folder for the user of the image
    install -d -m 0700 -o 10001 -g 10001 "$2"
    ;;
  check) # whether the server responds
    exec node_modules/.bin/node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"
    ;;
  run) # as `npm start` does: it chooses options for the memory of the container, and is then replaced by the server
    exec node_modules/.bin/node server/start.ts
    ;;
  *)
    echo "Usage: deploy/container.sh install | build | prepare <data folder> | check | run" >&2
    exit 2
    ;;
esac
