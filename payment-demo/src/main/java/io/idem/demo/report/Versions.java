package io.idem.demo.report;

import org.jspecify.annotations.Nullable;

/**
 * The versions of idem, Java and the servers in a run.
 *
 * @param redis null in a run without Redis
 */
public record Versions(
        String idem, String java, @Nullable String redis, String broker, String kafka, String postgres) {}
