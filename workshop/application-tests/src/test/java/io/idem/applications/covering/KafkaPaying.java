package io.idem.applications.covering;

import org.springframework.kafka.support.Acknowledgment;

/** The interface of listeners behind JDK proxies. */
interface KafkaPaying {

    void pay(String payment, Acknowledgment acknowledgment);
}
