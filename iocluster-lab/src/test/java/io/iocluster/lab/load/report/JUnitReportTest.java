package io.iocluster.lab.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.TestResults;
import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.FaultMark;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class JUnitReportTest {

    private static final String HOSTILE = "<&\"]]>\u0000";

    @Test
    void eachExpectationAndEachFaultIsATestCase() throws Exception {
        String xml = JUnitReport.xml(TestResults.of(
                HOSTILE,
                10,
                1,
                List.of(new FaultMark("slow", "", 1, null, HOSTILE)),
                List.of(
                        new ExpectationOutcome("p99 < 300ms", State.MET, "12 ms", 12.0, 300),
                        new ExpectationOutcome("errors < 1", State.FAILED, "5", 5.0, 1))));

        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getDocumentElement();

        assertThat(suite.getAttribute("name")).isEqualTo("load.<&\"]]>\\u{0}");
        assertThat(suite.getAttribute("tests")).isEqualTo("4");
        assertThat(suite.getAttribute("failures")).isEqualTo("2");
        assertThat(suite.getAttribute("time")).isEqualTo("60.000");
        NodeList cases = suite.getElementsByTagName("testcase");
        assertThat(((Element) cases.item(1)).getAttribute("name")).isEqualTo("p99 < 300ms");
        assertThat(cases.item(1).hasChildNodes()).isFalse();
        NodeList failures = suite.getElementsByTagName("failure");
        assertThat(((Element) failures.item(0)).getAttribute("message")).isEqualTo("actual: 5");
        assertThat(((Element) failures.item(1)).getAttribute("message")).isEqualTo("<&\"]]>\\u{0}");
    }
}
