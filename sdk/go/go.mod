module florin.example/sdk

go 1.19
