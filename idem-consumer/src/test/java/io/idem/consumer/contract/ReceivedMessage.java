package io.idem.consumer.contract;

import java.util.Map;

/** A message as a test of a contract reads it from a broker. */
public record ReceivedMessage(String body, Map<String, String> headers) {}
