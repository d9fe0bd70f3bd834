CREATE TABLE "agent_blocks" (
	"agent_id" uuid NOT NULL,
	"block_id" uuid NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "agent_blocks_agent_id_block_id_pk" PRIMARY KEY("agent_id","block_id")
);
--> statement-breakpoint
CREATE TABLE "agent_uses" (
	"user_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_uses_user_id_agent_id_pk" PRIMARY KEY("user_id","agent_id")
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"logo" text NOT NULL,
	"desc" text NOT NULL,
	"model" text NOT NULL,
	"chat_level" integer NOT NULL,
	"interneted" boolean NOT NULL,
	"refer_source" boolean NOT NULL,
	"related_prompts" boolean NOT NULL,
	"stream" boolean NOT NULL,
	"visible" integer NOT NULL,
	"category_id" integer NOT NULL,
	"system_prompt" text NOT NULL,
	"welcome_prompt" text NOT NULL,
	"suggest_prompts" jsonb NOT NULL,
	"draft_of" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_blocks" ADD CONSTRAINT "agent_blocks_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_blocks" ADD CONSTRAINT "agent_blocks_block_id_blocks_id_fk" FOREIGN KEY ("block_id") REFERENCES "public"."blocks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_uses" ADD CONSTRAINT "agent_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_uses" ADD CONSTRAINT "agent_uses_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_draft_of_agents_id_fk" FOREIGN KEY ("draft_of") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_blocks_block" ON "agent_blocks" USING btree ("block_id");--> statement-breakpoint
CREATE INDEX "agent_uses_agent" ON "agent_uses" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "agents_owner" ON "agents" USING btree ("user_id","updated_at");--> statement-breakpoint
CREATE INDEX "agents_public" ON "agents" USING btree ("uses","id") WHERE "agents"."visible" = 2 AND "agents"."draft_of" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "agents_draft" ON "agents" USING btree ("user_id","draft_of") WHERE "agents"."draft_of" <> "agents"."id";--> statement-breakpoint
CREATE UNIQUE INDEX "agents_new_draft" ON "agents" USING btree ("user_id") WHERE "agents"."draft_of" = "agents"."id";