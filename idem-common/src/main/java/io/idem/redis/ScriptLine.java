package io.idem.redis;

import io.idem.spi.RecordId;
import java.util.List;

/** What a script is asked about one record. */
record ScriptLine(Script script, RecordId record, List<byte[]> arguments) {}
