CREATE TABLE "compare_votes" (
	"user_id" uuid NOT NULL,
	"chat_id" uuid NOT NULL,
	"sess_id" uuid,
	"kind" text NOT NULL,
	"winner" text NOT NULL,
	"answers" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "compare_votes_user_id_chat_id_pk" PRIMARY KEY("user_id","chat_id")
);
--> statement-breakpoint
CREATE TABLE "comparisons" (
	"sess_id" uuid PRIMARY KEY NOT NULL,
	"models" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"blind" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "duration_ms" integer;--> statement-breakpoint
ALTER TABLE "compare_votes" ADD CONSTRAINT "compare_votes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "compare_votes" ADD CONSTRAINT "compare_votes_sess_id_chat_sessions_id_fk" FOREIGN KEY ("sess_id") REFERENCES "public"."chat_sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comparisons" ADD CONSTRAINT "comparisons_sess_id_chat_sessions_id_fk" FOREIGN KEY ("sess_id") REFERENCES "public"."chat_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "compare_votes_recent" ON "compare_votes" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "compare_votes_session" ON "compare_votes" USING btree ("sess_id");