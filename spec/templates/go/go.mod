module sticks

go 1.18
