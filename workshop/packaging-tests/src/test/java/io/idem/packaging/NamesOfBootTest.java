package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Spring Boot 4.2 moved its support for RabbitMQ, so whatever runs on 4.1 and on 4.2 knows it by name, and in few places. */
class NamesOfBootTest {

    private static final Set<String> BY_NAME =
            Set.of("BootRabbit", "RabbitOfBoot", "ArchitectureTest", "NamesOfBootTest");

    @Test
    void noSourceImportsAnythingOfBootsModuleForRabbitMq() {
        assertThat(SourceFile.ofAllModules())
                .hasSizeGreaterThan(1_000)
                .filteredOn(source -> source.text().contains("org.springframework.boot.amqp")
                        || source.text().contains("org.springframework.boot.rabbitmq"))
                .extracting(SourceFile::type)
                .isSubsetOf(BY_NAME);
    }
}
