package io.idem.workshop.chaos.report;

/**
 * What a class of faults cost on a lane of the delivery limit of its queue.
 *
 * @param faultClass which class
 * @param lane on RabbitMQ
 * @param messages that came back to their queue, as far as the broker counts that
 * @param most of these counts
 */
public record ReturnFigures(String faultClass, String lane, int messages, int most) {}
