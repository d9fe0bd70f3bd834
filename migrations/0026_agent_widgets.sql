CREATE TABLE "agent_widgets" (
	"agent_id" uuid PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"sites" jsonb NOT NULL,
	"daily_limit" bigint NOT NULL,
	"budget_id" uuid,
	"budget_day" text
);
--> statement-breakpoint
ALTER TABLE "auth_sessions" ADD COLUMN "chatbot" text;--> statement-breakpoint
ALTER TABLE "agent_widgets" ADD CONSTRAINT "agent_widgets_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;