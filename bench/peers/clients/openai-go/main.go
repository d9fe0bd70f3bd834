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

	"github.com/openai/openai-go/v3"
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
		if module.Path == "github.com/openai/openai-go/v3" {
			report(map[string]string{"version": module.Version})
		}
	}
	client := openai.NewClient()
	ctx := context.Background()
	for _, model := range strings.Split(os.Getenv("MODELS"), ",") {
		params := openai.ChatCompletionNewParams{
			Model:    model,
			Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("上海天气")},
		}
		feature("chat: an answer ("+model+")", func() error {
			script(model, map[string]any{"text": "晴"})
			answer, err := client.Chat.Completions.New(ctx, params)
			if err == nil && answer.Choices[0].Message.Content != "晴" {
				err = fmt.Errorf("%s", answer.RawJSON())
			}
			return err
		})
		feature("chat: a stream ("+model+")", func() error {
			script(model, map[string]any{"text": "问渠那得清如许，为有源头活水来"})
			stream := client.Chat.Completions.NewStreaming(ctx, params)
			whole := openai.ChatCompletionAccumulator{}
			for stream.Next() {
				whole.AddChunk(stream.Current())
			}
			if err := stream.Err(); err != nil {
				return err
			}
			if whole.Choices[0].Message.Content != "问渠那得清如许，为有源头活水来" {
				return fmt.Errorf("%s", whole.Choices[0].Message.Content)
			}
			return nil
		})
	}
}
