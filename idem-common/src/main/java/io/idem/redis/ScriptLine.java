package io.idem.redis;

import io.idem.spi.RecordId;
import java.util.List;
import java.util.Locale;

/** What a script is asked about one record; {@code arguments} are the record's own. */
record ScriptLine(ScriptUse use, RecordId record, List<byte[]> arguments) {

    @Override
    public String toString() {
        return use.script().name().toUpperCase(Locale.ROOT) + " of " + record;
    }
}
