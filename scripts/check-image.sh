#!/usr/bin/env bash
# Builds docker/Dockerfile and runs the image: its root file system, mounted read-only, as its user.
# Requires root, or sudo. buildah builds without a container engine; if no image registry can be
# reached, debootstrap makes the base images.
#
# Every mount is made in a namespace that ends before anything is deleted.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
readonly MOST_MEGABYTES=350

fail() {
  echo "check-image: $1" >&2
  exit 1
}

install_tools() {
  for tool in buildah debootstrap; do
    command -v "$tool" >/dev/null && continue
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends buildah debootstrap >/dev/null
  done
}

if [ "${1:-}" != --in-namespace ]; then
  [ "$(id -u)" -eq 0 ] || exec sudo --preserve-env=PATH "$0"
  install_tools
  work=$(mktemp -d)
  code=0
  unshare --mount --propagation private "$0" --in-namespace "$work" || code=$?
  ! grep -qF " $work" /proc/self/mounts || fail "$work has mounts, and is not deleted"
  rm -rf --one-file-system "$work"
  exit "$code"
fi

work=$2
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null || true' EXIT

driver=overlay
images() {
  buildah --root "$work/storage" --runroot "$work/run" --storage-driver "$driver" "$@" 2>>"$work/log" ||
    { tail -n 30 "$work/log" >&2; fail "buildah $1 failed"; }
}
buildah --root "$work/storage" --runroot "$work/run" --storage-driver overlay info >/dev/null 2>&1 || driver=vfs

# Makes the image $2 of the folder $1, with further settings for buildah.
commit_folder() {
  local container
  container=$(images from scratch)
  images add -q "$container" "$1" / >/dev/null
  [ $# -eq 2 ] || images config "${@:3}" "$container"
  images commit -q --rm "$container" "docker.io/library/$2" >/dev/null
}

# Stand-ins for the official images: the same Debian, with the Node of package-lock.json and the npm
# of this machine.
make_base_images() {
  local base=$work/base node=$work/node mirror
  mirror=$(apt-get indextargets --format '$(SITE)' | head -n 1)
  debootstrap --variant=minbase trixie "$base" "$mirror" >>"$work/log"
  # The official image has no documentation, translations and lists of packages either.
  rm -rf "$base"/usr/share/{doc,man,locale,info} "$base"/var/{lib/apt/lists,cache/apt,log}/*
  commit_folder "$base" debian:trixie-slim
  cp -a "$base" "$node"
  mkdir -p "$node"/usr/local/lib/node_modules "$node"/etc/ssl/certs
  cp -L node_modules/.bin/node "$node/usr/local/bin/node"
  cp -r "$(npm root -g 2>/dev/null)/npm" "$node/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$node/usr/local/bin/npm"
  # A registry behind a proxy can have an authority of its own.
  cp /etc/ssl/certs/ca-certificates.crt "$node/etc/ssl/certs/"
  commit_folder "$node" node:24-trixie-slim --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
}

if (images pull -q docker.io/library/debian:trixie-slim && images pull -q docker.io/library/node:24-trixie-slim) >/dev/null 2>&1; then
  echo 'check-image: builds on the official images'
else
  echo 'check-image: no image registry can be reached, builds on stand-ins by debootstrap'
  make_base_images
fi

# Health checks are kept in this format only.
images bud -q --format docker --isolation chroot --network host --layers=false -f docker/Dockerfile -t eider . >>"$work/log"

container=$(images from eider)
root=$(images mount "$container")
config() { images inspect --type image --format "{{$1}}" eider; }

[ "$(config .Docker.Config.User)" = 10001:10001 ] || fail 'the user of the image is no number'
config .Docker.Config.Healthcheck.Test | grep -qF 'eider health' || fail 'the image has no HEALTHCHECK'
[ "$(config '.Docker.Config.Entrypoint') $(config '.Docker.Config.Cmd')" = '[eider] [serve]' ] || fail 'the image does not serve'
megabytes=$(($(du -sx --apparent-size --block-size=1 "$root" | cut -f1) / 1000000))
[ "$megabytes" -lt "$MOST_MEGABYTES" ] || fail "the image has $megabytes MB, at most $MOST_MEGABYTES are allowed"

# What a container engine gives a container: the root file system, read-only, /proc, a few devices
# and a volume.
mount --bind "$root" "$root"
mount -t tmpfs -o mode=700,uid=10001,gid=10001 tmpfs "$root/data"
mount -t tmpfs tmpfs "$root/dev"
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/urandom" c 1 9
ln -s /proc/self/fd "$root/dev/fd"
mount --rbind /proc "$root/proc"
mount -o remount,ro,bind "$root"
mapfile -t environment < <(images inspect --type image --format '{{range .Docker.Config.Env}}{{println .}}{{end}}' eider | grep .)
in_image=(chroot --userspec=10001:10001 "$root" env -i "${environment[@]}" PORT=0)

"${in_image[@]}" eider serve >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 60); do
  "${in_image[@]}" eider health >"$work/health" 2>&1 && break
  kill -0 "$server" 2>/dev/null || { cat "$work/server.log" >&2; fail 'the server has ended'; }
  sleep 0.5
done
grep -qx ready "$work/health" || { cat "$work/server.log" "$work/health" >&2; fail 'the server is not ready'; }
rows=$("${in_image[@]}" eider query run 1 --account demo | wc -l)
[ "$rows" -gt 100 ] || fail "the sample query has $rows lines"
kill -TERM "$server"
code=0
wait "$server" || code=$?
server=
[ "$code" -eq 0 ] || fail "the server ended with exit code $code"
echo "check-image: built, $megabytes MB, served on a read-only root file system as user 10001, healthy, stopped"
