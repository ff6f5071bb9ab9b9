-- In which language a person is told; NULL: they have not said, and are told in English.
ALTER TABLE notice_people ADD COLUMN language text CHECK (language IN ('en', 'de', 'es', 'fr', 'zh'));
