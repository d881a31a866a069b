#!/bin/sh
# Static Linux binaries: linesman and the engine of each game as a program of its own, packed with the licences.
#
#     release/build.sh [TARGET]        x86_64-unknown-linux-musl if absent; aarch64-unknown-linux-musl needs its linker
#
# The archive stands in target/release-archives, and its name and the sizes are shown.
set -eu
cd "$(dirname "$0")/.."
target=${1:-x86_64-unknown-linux-musl}
programs='linesman entropy gobblet graph-hockey projex susan'

if command -v rustup >/dev/null; then
    rustup target add "$target"
fi
set --
for program in $programs; do
    case $program in
        linesman) set -- "$@" -p linesman ;;
        *) set -- "$@" -p "linesman-$program" ;;
    esac
done
cargo build --locked --release --config 'profile.release.strip="symbols"' --target "$target" "$@"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=linesman-$version-$target
archives=target/release-archives
rm -rf "$archives/$name"
mkdir -p "$archives/$name"
for program in $programs; do
    binary=target/$target/release/$program
    # A program that needs the system's library would not run everywhere.
    if ldd "$binary" 2>/dev/null | grep -q '=>'; then
        echo "$binary is not static" >&2
        exit 1
    fi
    cp "$binary" "$archives/$name/"
    printf '%-14s %8d KiB\n' "$program" "$(($(wc -c <"$binary") / 1024))"
done
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$archives/$name/"
tar -C "$archives" -czf "$archives/$name.tar.gz" "$name"
printf '%s %d KiB\n' "$archives/$name.tar.gz" "$(($(wc -c <"$archives/$name.tar.gz") / 1024))"
