package io.idem.demo.watch;

import io.idem.demo.watch.WorkerEvent.What;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.support.KafkaUtils;

/** Logs every delivery, before anybody decides about it. */
@Configuration(proxyBeanMethods = false)
class WatchedDeliveries {

    private final WorkerLog log;

    WatchedDeliveries(WorkerLog log) {
        this.log = log;
    }

    @Bean
    ContainerCustomizer<SimpleMessageListenerContainer> watchedQueues() {
        return container -> container.setAfterReceivePostProcessors(this::delivered);
    }

    private Message delivered(Message message) {
        boolean redelivered = Boolean.TRUE.equals(message.getMessageProperties().isRedelivered());
        String queue = String.valueOf(message.getMessageProperties().getConsumerQueue());
        log.write(What.DELIVERED, queue, "", redelivered ? WorkerEvent.REDELIVERED : "", 0);
        return message;
    }

    @Bean
    RecordInterceptor<Object, Object> watchedTopics() {
        return this::delivered;
    }

    private ConsumerRecord<Object, Object> delivered(
            ConsumerRecord<Object, Object> consumed, Consumer<Object, Object> consumer) {
        String place = consumed.topic() + "-" + consumed.partition() + "@" + consumed.offset();
        log.write(What.DELIVERED, String.valueOf(KafkaUtils.getConsumerGroupId()), place, "", 0);
        return consumed;
    }
}
