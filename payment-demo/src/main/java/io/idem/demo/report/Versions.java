package io.idem.demo.report;

/** The versions of idem, Java and the servers in a run. */
public record Versions(String idem, String java, String redis, String broker, String kafka, String postgres) {}
