"""Labels runs that the factors do not tell apart: by headings, remarks, sentences, settings, arguments, days."""
