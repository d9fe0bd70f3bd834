CREATE TABLE "document_vectors" (
	"id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"first" integer NOT NULL,
	"model" text NOT NULL,
	"hashes" "bytea" NOT NULL,
	"vectors" "bytea" NOT NULL,
	CONSTRAINT "document_vectors_document_id_generation_first_pk" PRIMARY KEY("document_id","generation","first"),
	CONSTRAINT "document_vectors_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "embedding_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"model" text NOT NULL,
	"hashes" "bytea" NOT NULL,
	"vectors" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "document_vectors" ADD CONSTRAINT "document_vectors_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embedding_batches" ADD CONSTRAINT "embedding_batches_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "embedding_batches_document" ON "embedding_batches" USING btree ("document_id");