package io.idem.applications.covering;

import org.springframework.kafka.support.Acknowledgment;

/** The interface of listeners whose proxies are JDK proxies. */
interface KafkaPaying {

    void pay(String payment, Acknowledgment acknowledgment);
}
