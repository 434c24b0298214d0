package io.idem.demo.flow;

import java.util.List;

/**
 * The changes of the flow since a version.
 *
 * @param version up to which this reaches; ask again with it
 * @param operations that changed, as they are now, oldest first
 * @param lines that were told, oldest first
 */
public record Changes(long version, List<OperationView> operations, List<LogLine> lines) {}
