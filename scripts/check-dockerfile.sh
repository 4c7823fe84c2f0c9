#!/usr/bin/env bash
# Proves docker/Dockerfile without a container engine: does its COPY and npm steps in a clean folder, and asks the result for its
# commands. What it cannot prove is the base image and the user.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
image=$(mktemp -d)
trap 'rm -rf "$image"' EXIT

while read -r step arguments; do
  case $step in
    COPY)
      read -ra paths <<<"$arguments"
      target=$image/${paths[-1]}
      for path in "${paths[@]:0:${#paths[@]}-1}"; do
        if [ -d "$path" ]; then mkdir -p "$target" && cp -R "$path/." "$target/"; else mkdir -p "$(dirname "$target")" && cp "$path" "$target"; fi
      done
      ;;
    RUN)
      case $arguments in npm*) (cd "$image" && bash -c "$arguments" >/dev/null) ;; esac
      ;;
    CMD)
      # ["node_modules/.bin/node", ..., "serve"]: the same program, asked for its commands.
      read -ra command <<<"$(tr -d '[]",' <<<"$arguments")"
      (cd "$image" && "${command[@]:0:${#command[@]}-1}" --help | grep -q 'serve') ;;
  esac
done <"$root/docker/Dockerfile"
echo 'check-dockerfile: the steps of docker/Dockerfile build a program that starts'
