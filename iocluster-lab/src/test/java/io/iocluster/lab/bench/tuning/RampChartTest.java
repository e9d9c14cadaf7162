package io.iocluster.lab.bench.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.tuning.RampResult.SizeChange;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class RampChartTest {

    @TempDir
    Path folder;

    @Test
    void drawsBothNodesAsSvg() throws Exception {
        Path file = folder.resolve("pictures").resolve("tuning.svg");

        new RampChart(
                        TestRamps.behindUntil("off", 60, 0.1),
                        TestRamps.behindUntil("auto", 9, 0.3, new SizeChange(66, 50, 100)))
                .write(file);

        Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("lag, messages", "calls in flight", "calls per second", "of all cores")
                .contains("advisor off", "advisor on auto", "in-flight limit on auto", "input");
    }
}
