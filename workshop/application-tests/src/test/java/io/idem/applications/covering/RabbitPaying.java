package io.idem.applications.covering;

import com.rabbitmq.client.Channel;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.messaging.handler.annotation.Header;

/** The interface of listeners behind JDK proxies. */
interface RabbitPaying {

    void pay(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag);
}
