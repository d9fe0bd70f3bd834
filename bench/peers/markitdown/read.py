# markitdown's reading of the same files, to be scored by `node bench/readers.ts score <data> <out>`:
# python3 -m venv venv && venv/bin/pip install 'markitdown[pdf,docx,pptx,xlsx,xls,outlook]==0.1.9'
# venv/bin/python read.py <data> <out>
import glob
import os
import sys

from markitdown import MarkItDown

data, out = sys.argv[1:3]
os.makedirs(out, exist_ok=True)
reader = MarkItDown()
for path in sorted(glob.glob(os.path.join(data, "documents/*/sources/*"))):
    name = os.path.basename(path)
    try:
        text = reader.convert(path).text_content
    except Exception as error:
        print(name, type(error).__name__)
        text = ""
    with open(os.path.join(out, name + ".md"), "w") as file:
        file.write(text)
