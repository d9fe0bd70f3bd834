package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
)

func report(line map[string]string) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

func script(model string, scripts ...map[string]any) {
	body, _ := json.Marshal(map[string]any{"model": model, "scripts": scripts})
	if response, err := http.Post(os.Getenv("SCRIPT_URL"), "application/json", bytes.NewReader(body)); err == nil {
		response.Body.Close()
	}
}

type refusal struct {
	Rule   string
	Status int
	Body   json.RawMessage
}

// What the platforms refused since this was asked last, in their words.
func takeRefusals() []refusal {
	var refusals []refusal
	if response, err := http.Get(os.Getenv("SCRIPT_URL") + "/refusals"); err == nil {
		json.NewDecoder(response.Body).Decode(&refusals)
		response.Body.Close()
	}
	return refusals
}

func feature(name string, attempt func() error) {
	result := "ok"
	if err := attempt(); err != nil {
		result = err.Error()
	}
	if refusals := takeRefusals(); len(refusals) > 0 {
		result = fmt.Sprintf("refused (%s, %d): %s", refusals[0].Rule, refusals[0].Status, refusals[0].Body)
	}
	report(map[string]string{"feature": name, "result": result})
}

func main() {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/anthropics/anthropic-sdk-go" {
			report(map[string]string{"version": module.Version})
		}
	}
	client := anthropic.NewClient()
	ctx := context.Background()
	for _, model := range strings.Split(os.Getenv("MODELS"), ",") {
		params := anthropic.MessageNewParams{
			Model:     anthropic.Model(model),
			MaxTokens: 100,
			Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("上海天气"))},
		}
		feature("an answer ("+model+")", func() error {
			script(model, map[string]any{"text": "晴"})
			message, err := client.Messages.New(ctx, params)
			if err == nil && message.Content[0].Text != "晴" {
				err = fmt.Errorf("%s", message.RawJSON())
			}
			return err
		})
		feature("a stream ("+model+")", func() error {
			script(model, map[string]any{"text": "问渠那得清如许，为有源头活水来"})
			stream := client.Messages.NewStreaming(ctx, params)
			whole := anthropic.Message{}
			for stream.Next() {
				if err := whole.Accumulate(stream.Current()); err != nil {
					return err
				}
			}
			if err := stream.Err(); err != nil {
				return err
			}
			if whole.Content[0].Text != "问渠那得清如许，为有源头活水来" {
				return fmt.Errorf("%s", whole.Content[0].Text)
			}
			return nil
		})
	}
}
