package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

/** Tests the definitions of containers without an engine and without starting any. */
class ContainerTierTest {

    @Test
    void containersUseThePinnedImages() {
        assertThat(imageOf(Containers.redisContainer())).contains("=" + ContainerImages.REDIS + ",");
        assertThat(imageOf(Containers.rabbitMqContainer())).contains("=" + ContainerImages.RABBITMQ + ",");
        assertThat(imageOf(Containers.kafkaContainer())).contains("=" + ContainerImages.KAFKA + ",");
        assertThat(imageOf(Containers.postgresContainer())).contains("=" + ContainerImages.POSTGRES + ",");
        assertThat(imageOf(Containers.mySqlContainer())).contains("=" + ContainerImages.MYSQL + ",");
    }

    @Test
    void imagesAreThoseOfTheComposeFile() throws IOException {
        String compose = Files.readString(Path.of("..", "..", "docker-compose.yml"));

        assertThat(List.of(
                        ContainerImages.REDIS,
                        ContainerImages.RABBITMQ,
                        ContainerImages.KAFKA,
                        ContainerImages.POSTGRES))
                .allSatisfy(image -> assertThat(compose).containsPattern("image: " + image + "\\s"));
        assertThat(ContainerImages.RABBITMQ).startsWith("rabbitmq:4.");
    }

    @Test
    void theRedisContainerNeitherSavesNorEvicts() {
        GenericContainer<?> container = Containers.redisContainer();

        assertThat(container.getExposedPorts()).containsExactly(6379);
        assertThat(container.getCommandParts()).containsExactly("redis-server", "--save", "", "--appendonly", "no");
    }

    @Test
    void theTierIsOffWithoutTestcontainers() {
        assertThat(ContainerTier.isPresent("org.testcontainers.containers.GenericContainer"))
                .isTrue();
        assertThat(ContainerTier.isPresent("org.testcontainers.nosuch.Container"))
                .isFalse();
    }

    /** Returns the requested image without calling its getter, which would contact the engine. */
    private static String imageOf(GenericContainer<?> container) {
        return container.getImage().toString();
    }
}
