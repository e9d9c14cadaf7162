package io.iocluster.lab.bench.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SvgPlotTest {

    @Test
    void drawsValuesFromTheLeftToTheRightAndFromTheBottomToTheTop() {
        String svg =
                SvgPlot.linear("calls").line("", List.of(0.0, 5.0, 10.0, 2.5)).svg(0, 0, 4, List.of(), "");

        assertThat(svg).contains("points='215.0,165.0 430.0,82.5 645.0,0.0 860.0,123.8 '");
    }

    @Test
    void drawsZeroAtTheBottomOfALogarithmicAxis() {
        String svg = SvgPlot.logarithmic("lag")
                .line("", List.of(0.0, 1.0, 10.0, 100.0))
                .svg(0, 0, 4, List.of(), "");

        assertThat(svg)
                .contains("points='215.0,165.0 430.0,165.0 645.0,82.5 860.0,0.0 '")
                .contains(">1<", ">10<", ">100<");
    }

    @ParameterizedTest
    @CsvSource({
        "100, '0,20,40,60,80,100'",
        "240, '0,50,100,150,200'",
        "6, '0,1,2,3,4,5,6'",
        "5000, '0,1,000,2,000,3,000,4,000,5,000'"
    })
    void labelsTheAxisWithRoundNumbers(double top, String labels) {
        String svg = SvgPlot.linear("calls").upTo(top).svg(0, 0, 1, List.of(), "");

        assertThat(String.join(
                        ",",
                        svg.lines()
                                .filter(line -> line.contains("'end'"))
                                .map(line -> line.replaceAll(".*'end'>|<.*", ""))
                                .toList()))
                .isEqualTo(labels);
    }
}
