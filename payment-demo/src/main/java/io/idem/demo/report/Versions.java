package io.idem.demo.report;

/** What the run ran on. */
public record Versions(String idem, String java, String redis, String broker, String kafka, String postgres) {}
