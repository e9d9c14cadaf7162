module iocluster.example/door

go 1.24
