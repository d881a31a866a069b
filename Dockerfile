# linesman and the programs beside it in an image without anything else:
#
#     docker build -t linesman .
#     docker run --rm -it -v "$PWD:/games" linesman play susan
#
# Ledgers are written to /games. For `linesman gui`, add --net=host.
FROM rust:1.95 AS build
WORKDIR /linesman
COPY . .
RUN .ci/release x86_64-unknown-linux-musl

FROM scratch
COPY --from=build /linesman/target/x86_64-unknown-linux-musl/dist/linesman \
    /linesman/target/x86_64-unknown-linux-musl/dist/linesman-club \
    /linesman/target/x86_64-unknown-linux-musl/dist/linesman-fleet \
    /linesman/target/x86_64-unknown-linux-musl/dist/linesman-lab \
    /bin/
WORKDIR /games
ENTRYPOINT ["/bin/linesman"]
