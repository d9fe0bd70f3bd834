module client

go 1.26

require github.com/anthropics/anthropic-sdk-go v1.84.0
