package io.idem.applications.covering;

import org.springframework.kafka.support.Acknowledgment;

/** What a proxy of interfaces implements. */
interface KafkaPaying {

    void pay(String payment, Acknowledgment acknowledgment);
}
