package io.idem.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class BarChartTest {

    private final BarChart chart = new BarChart(
            "Pairs <of> one & all",
            "/s",
            List.of(new BarChart.Bar("two PING", 7_000, false), new BarChart.Bar("idem", 3_500, true)));

    @Test
    void whoCannotSeeItHearsTitleAndValues() throws Exception {
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(chart.svg())));

        assertThat(text(svg, "title")).isEqualTo("Pairs <of> one & all");
        assertThat(text(svg, "desc")).isEqualTo("two PING: 7,000 /s; idem: 3,500 /s");
        assertThat(svg.getDocumentElement().getAttribute("role")).isEqualTo("img");
    }

    @Test
    void barsAreAsLongAsTheirValues() {
        assertThat(chart.svg()).contains("width=\"400.0\"", "width=\"200.0\"").contains("class=\"own\"");
    }

    private static String text(Document svg, String element) {
        return svg.getElementsByTagName(element).item(0).getTextContent();
    }
}
