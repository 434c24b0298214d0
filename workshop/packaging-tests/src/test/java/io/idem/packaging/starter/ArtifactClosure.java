package io.idem.packaging.starter;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The jars on the class path of this test that an artifact depends on, directly or not, according to the poms in them.
 */
final class ArtifactClosure {

    private static final Pattern JAR = Pattern.compile("(.+?)-\\d+\\..*\\.jar");

    private final Map<String, List<Path>> jars = new HashMap<>();

    ArtifactClosure() {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            jars.computeIfAbsent(artifact(path), name -> new ArrayList<>()).add(path);
        }
    }

    /** Returns the jars without duplicates, in the order of the poms. */
    List<Path> of(List<String> artifacts) {
        Set<Dependency> found = new LinkedHashSet<>();
        Deque<Dependency> open = new ArrayDeque<>();
        artifacts.forEach(artifact -> open.add(new Dependency(artifact, Set.of())));
        while (!open.isEmpty()) {
            Dependency dependency = open.removeFirst();
            if (jars.containsKey(dependency.artifact()) && found.add(dependency)) {
                open.addAll(brought(dependency));
            }
        }
        return found.stream()
                .map(Dependency::artifact)
                .distinct()
                .flatMap(artifact -> jars.getOrDefault(artifact, List.of()).stream())
                .toList();
    }

    /** Returns the artifact of an entry of the class path: the classes folder of a module of this build, or a jar. */
    private static String artifact(Path path) {
        if (path.endsWith("target/classes")) {
            return module(path).getFileName().toString();
        }
        Matcher jar = JAR.matcher(path.getFileName().toString());
        return jar.matches() ? jar.group(1) : path.getFileName().toString();
    }

    /** Returns the folder of the module with that classes folder. */
    private static Path module(Path classes) {
        return classes.resolve("../..").toAbsolutePath().normalize();
    }

    private List<Dependency> brought(Dependency by) {
        return jars.getOrDefault(by.artifact(), List.of()).stream()
                .map(ArtifactClosure::pom)
                .filter(Files::exists)
                .flatMap(ArtifactClosure::dependencies)
                .filter(dependency -> !by.excluded().contains(dependency.artifact()))
                .map(dependency -> dependency.excludingToo(by.excluded()))
                .toList();
    }

    private static Path pom(Path path) {
        if (path.endsWith("target/classes")) {
            return module(path).resolve("pom.xml");
        }
        Path folder = path.resolveSibling(".").toAbsolutePath().normalize();
        return folder.endsWith("target")
                ? folder.resolveSibling("pom.xml")
                : folder.resolve(
                        folder.resolveSibling(".").normalize().getFileName() + "-" + folder.getFileName() + ".pom");
    }

    private static Stream<Dependency> dependencies(Path pom) {
        Element project = parsed(pom).getDocumentElement();
        return children(project, "dependencies")
                .flatMap(all -> children(all, "dependency"))
                .filter(one -> !text(one, "optional").equals("true"))
                .filter(one -> Set.of("", "compile", "runtime").contains(text(one, "scope")))
                .map(one -> new Dependency(text(one, "artifactId"), exclusions(one)));
    }

    private static Set<String> exclusions(Element dependency) {
        return children(dependency, "exclusions")
                .flatMap(all -> children(all, "exclusion"))
                .map(one -> text(one, "artifactId"))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String text(Element parent, String name) {
        return children(parent, name).map(Element::getTextContent).findFirst().orElse("");
    }

    private static Stream<Element> children(Element parent, String name) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(node -> node.getNodeName().equals(name))
                .map(Element.class::cast);
    }

    private static Document parsed(Path pom) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("cannot read " + pom, e);
        }
    }

    /**
     * A dependency, by its artifact.
     *
     * @param excluded the artifacts that it does not bring
     */
    private record Dependency(String artifact, Set<String> excluded) {

        Dependency excludingToo(Set<String> others) {
            Set<String> all = new HashSet<>(excluded);
            all.addAll(others);
            return new Dependency(artifact, Set.copyOf(all));
        }
    }
}
