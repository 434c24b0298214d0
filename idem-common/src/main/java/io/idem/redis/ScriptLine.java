package io.idem.redis;

import io.idem.spi.RecordId;
import java.util.List;
import java.util.Locale;

/** What a script is asked about one record. */
record ScriptLine(Script script, RecordId record, List<byte[]> arguments) {

    @Override
    public String toString() {
        return script.name().toUpperCase(Locale.ROOT) + " of " + record;
    }
}
