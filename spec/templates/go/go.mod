module engine

go 1.18
