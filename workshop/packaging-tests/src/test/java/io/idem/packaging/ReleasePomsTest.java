package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The POMs hold what <a href="https://central.sonatype.org/publish/requirements/">Maven Central</a> refuses a module
 * without, and the profile {@code release} makes and signs what belongs to it.
 */
class ReleasePomsTest {

    private static final Pom ROOT = Pom.root();

    /** The version list has no parent, so it repeats what the others inherit. */
    private static final Pom LIST = Pom.of(Pom.ROOT.resolve("idem-bom"));

    private static final List<String> FROM_THE_PARENT = List.of(
            "/project/url",
            "/project/licenses/license/name",
            "/project/licenses/license/url",
            "/project/developers/developer/name",
            "/project/scm/connection",
            "/project/scm/developerConnection",
            "/project/scm/url");

    private static final String RELEASE = "/project/profiles/profile[id='release']/build/plugins/plugin";

    @Test
    void theParentAndTheVersionListSayWhoseTheyAre() {
        assertThat(FROM_THE_PARENT).allSatisfy(path -> {
            assertThat(ROOT.text(path)).as(path).isNotBlank();
            assertThat(LIST.text(path)).as(path).isEqualTo(ROOT.text(path));
        });
        assertThat(LIST.text("/project/properties/release.url"))
                .isEqualTo(ROOT.text("/project/properties/release.url"));
    }

    @Test
    void everyModuleInheritsThatUnchanged() {
        assertThat(Pom.published()).allSatisfy(module -> {
            assertThat(module.text("/project/parent/artifactId")).isEqualTo(ROOT.artifact());
            assertThat(FROM_THE_PARENT.stream().flatMap(module::texts)).isEmpty();
        });
        assertThat(Stream.of("/project", "/project/scm")
                        .flatMap(element -> ROOT.texts(element + "/@*[contains(name(), 'inherit.append.path')]")))
                .hasSize(4)
                .containsOnly("false");
    }

    @Test
    void theParentAndTheVersionListSayWhatTheyAre() {
        assertThat(List.of(ROOT, LIST)).allSatisfy(pom -> {
            assertThat(pom.text("/project/name")).isNotBlank();
            assertThat(pom.text("/project/description")).endsWith(".");
        });
    }

    @Test
    void aReleaseIsSigned() {
        assertThat(ROOT.texts(RELEASE + "[artifactId='maven-gpg-plugin']/executions/execution/goals/goal"))
                .containsExactly("sign");
        assertThat(LIST.texts(RELEASE + "[artifactId='maven-gpg-plugin']/executions/execution/goals/goal"))
                .containsExactly("sign");
        assertThat(LIST.text(RELEASE + "[artifactId='maven-gpg-plugin']/version"))
                .isEqualTo(ROOT.text("/project/properties/maven-gpg-plugin.version"));
        assertThat(LIST.text(
                        "/project/build/pluginManagement/plugins/plugin[artifactId='maven-deploy-plugin']/version"))
                .isEqualTo(ROOT.text("/project/properties/maven-deploy-plugin.version"));
    }

    @Test
    void modulesWithoutCodeGetAnEmptyJarOfApiDocuments() {
        assertThat(Pom.published())
                .allSatisfy(module -> assertThat(module.text("/project/properties/empty-api-documents.phase"))
                        .as(module.artifact())
                        .isEqualTo(Files.isDirectory(module.folder().resolve("src/main/java")) ? "" : "package"));
    }
}
