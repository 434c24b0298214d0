package io.idem.consumer.rabbit.publish;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.consumer.ListenerConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/** Settings of Spring Boot do not reach a connection factory that the application makes by itself. */
class UnconfirmedConnectionTest {

    @Test
    void theRefusalNamesAWayForAConnectionFactoryOfYourOwn() {
        CachingConnectionFactory own = new CachingConnectionFactory("localhost");

        assertThatThrownBy(() -> new PropagatingRabbitTemplate(own))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("CachingConnectionFactory bean of your own")
                .hasMessageContaining("setPublisherConfirmType(CORRELATED) and setPublisherReturns(true)")
                .hasMessageContaining("such as a pool of channels, needs idem.consumer.propagating-templates=false");

        own.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
        own.setPublisherReturns(true);
        var unused = new PropagatingRabbitTemplate(own);
        own.destroy();
    }
}
