CREATE TABLE "document_chunks" (
	"document_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"n" integer NOT NULL,
	"piece" integer NOT NULL,
	"place" jsonb NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "document_chunks_document_id_generation_n_pk" PRIMARY KEY("document_id","generation","n")
);
--> statement-breakpoint
CREATE TABLE "document_segments" (
	"id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"first" integer NOT NULL,
	"chunks" integer NOT NULL,
	"words" "bytea" NOT NULL,
	CONSTRAINT "document_segments_document_id_generation_first_pk" PRIMARY KEY("document_id","generation","first"),
	CONSTRAINT "document_segments_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"status" integer DEFAULT 0 NOT NULL,
	"code" text,
	"task_id" uuid NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"building" integer DEFAULT 1 NOT NULL,
	"chunks" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "document_chunks" ADD CONSTRAINT "document_chunks_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_segments" ADD CONSTRAINT "document_segments_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;