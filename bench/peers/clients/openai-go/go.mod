module client

go 1.26

require github.com/openai/openai-go/v3 v3.96.0
