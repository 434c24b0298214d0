package io.idem.workshop.chaos.report;

/**
 * The share of a queue's delivery limit that a class of faults used up on a lane.
 *
 * @param faultClass name of the class
 * @param lane name of a lane on RabbitMQ
 * @param messages number of messages whose returns the broker counted
 * @param most largest of these counts
 */
public record ReturnFigures(String faultClass, String lane, int messages, int most) {}
