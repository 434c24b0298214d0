package io.idem.packaging;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A project of this build, as its pom.xml describes it. */
record Pom(Path folder, Document document) {

    static final Path ROOT = Path.of("..", "..");
    static final String MODULE_NAME = "/project/properties/module.name";

    static Pom of(Path folder) {
        try {
            return new Pom(
                    folder,
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(folder.resolve("pom.xml").toFile()));
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("cannot read the pom in " + folder, e);
        }
    }

    static Pom root() {
        return of(ROOT);
    }

    /** Returns all modules of the build except the root. */
    static List<Pom> modules() {
        return root().texts("/project/modules/module")
                .map(module -> of(ROOT.resolve(module)))
                .toList();
    }

    /** Returns the modules that users depend on, which have a name for the module path. */
    static List<Pom> published() {
        return modules().stream()
                .filter(module -> !module.text(MODULE_NAME).isEmpty())
                .toList();
    }

    String artifact() {
        return text("/project/artifactId");
    }

    /** Returns the text of the first such element; empty if there is none. */
    String text(String path) {
        return texts(path).findFirst().orElse("");
    }

    Stream<String> texts(String path) {
        try {
            NodeList nodes =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
            return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item).map(Node::getTextContent);
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }
}
