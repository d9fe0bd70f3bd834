CREATE TABLE "gateway_completions" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"model" text NOT NULL,
	"answer" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gateway_conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"sess_id" text NOT NULL,
	"run_id" uuid,
	"system" text DEFAULT '[]' NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gateway_conversations_name" UNIQUE("key_id","sess_id")
);
--> statement-breakpoint
CREATE TABLE "gateway_turns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"messages" text NOT NULL,
	"chars" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gateway_completions" ADD CONSTRAINT "gateway_completions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_conversations" ADD CONSTRAINT "gateway_conversations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_conversations" ADD CONSTRAINT "gateway_conversations_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_turns" ADD CONSTRAINT "gateway_turns_conversation_id_gateway_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."gateway_conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gateway_completions_age" ON "gateway_completions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "gateway_conversations_age" ON "gateway_conversations" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "gateway_turns_conversation" ON "gateway_turns" USING btree ("conversation_id","id");