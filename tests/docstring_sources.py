"""Which functions implement a published formula, and which paper their docstrings have to cite.

A name is the end of a dotted path, ``package:module.function`` or ``package:Class.method``, so that
a module may move within its package. It has to match one definition.
"""

from __future__ import annotations

RUSINOL = "Rusiñol & Lladós (2009)"
LAMIROY = "Lamiroy & Sun (2013)"
SANTINI = "Santini"  # Benchmarking without ground truth; our copy bears no year
HAST = "Hast (2020)"
SHAW = "Shaw & Fox (1995)"
ISCEN = "Iscen et al. (2017)"
ZHONG = "Zhong et al. (2017)"
HALL = "Hall (1992)"
LIN = "Lin et al. (2014)"
SAUVOLA = "Sauvola & Pietikäinen (2000)"
HU = "Hu (1962)"
LAMBERT = "Lambert & Gao (1996)"
DALAL = "Dalal & Triggs (2005)"
HINTERSTOISSER = "Hinterstoisser et al. (2012)"
PAVLIDIS = "Pavlidis (1986)"
UIJLINGS = "Uijlings et al. (2013)"

SOURCES: dict[str, tuple[str, str]] = {  # the paper, and the equation or section
    # area measures
    "geometry:coverage.new_coverage": (RUSINOL, "eq. 7"),
    "measures:area.ratio": (RUSINOL, "eq. 7"),
    "measures:area.f_score": (RUSINOL, "eq. 9"),
    "measures:area.fall_out": (RUSINOL, "eq. 11"),
    "measures:area.generality": (RUSINOL, "eq. 11"),
    "measures:definitions.figures.area_precision": (RUSINOL, "eq. 7"),
    "measures:definitions.figures.area_recall": (RUSINOL, "eq. 7"),
    "measures:definitions.figures.area_fall_out": (RUSINOL, "eq. 11"),
    "measures:definitions.figures.area_generality": (RUSINOL, "eq. 11"),
    "measures:definitions.figures.recognition_rate": (RUSINOL, "eq. 12"),
    "measures:figures.average_precision": (RUSINOL, "eq. 8"),
    "measures:definitions.figures.area_f": (RUSINOL, "eq. 9"),
    "measures:definitions.figures.average_precision_by": (RUSINOL, "eq. 8"),
    "measures:tally.Overlap": (RUSINOL, "eq. 7"),
    "measures:Tally.hit": (RUSINOL, "eq. 8"),
    "measures:Tally.steps": (RUSINOL, "eq. 7"),
    "measures:RecallCurves.sampled_precision": (RUSINOL, "eq. 10"),
    "measures:RecallCurves.sampled_f": (RUSINOL, "eq. 10"),
    "measures:RecallCurves.sampled_fall_out": (RUSINOL, "eq. 11"),
    "measures:central_tendency": (RUSINOL, "§3.6"),
    "measures:recognition_rank": (RUSINOL, "eq. 12"),
    "measures:count_recognised": (RUSINOL, "eq. 12"),
    "measures:count_false_positives": (RUSINOL, "§4.3"),
    "measures:average_subsets": (RUSINOL, "§4.4"),
    "measures:curve_family": (RUSINOL, "§4.4"),
    "measures:CurveFamily.mean_deviation": (RUSINOL, "Table 3"),
    "measures:CurveFamily.largest_deviation": (RUSINOL, "Table 3"),
    # detectors' measures
    "measures:match_pairs": ("Gale & Shapley (1962)", ""),
    "measures:average_precision_at_iou": (LIN, ""),
    "measures:average_precision_of": (LIN, ""),
    "measures:definitions.figures.iou_precision": (LIN, ""),
    "measures:definitions.figures.iou_precision_50_95": (LIN, ""),
    "measures:drawn_average_precision": (LIN, ""),
    "measures:definitions.figures.precision_at_iou": (LIN, ""),
    "measures:definitions.figures.recall_at_iou": (LIN, ""),
    "measures:definitions.figures.f_at_iou": (LIN, ""),
    "measures:definitions.figures.precision_at_recall": (RUSINOL, "§3.2"),
    "measures:classify_errors": ("Bolya et al. (2020)", ""),
    # resampling
    "measures:interval_ends": (HALL, "T = t + a t²"),
    "measures:pseudo_values": ("Tukey", "1958"),
    "measures:paired_differences": ("Smucker", "2007"),
    # without truth
    "consensus:votes.Votes": (LAMIROY, "eq. 7"),
    "consensus:precision.Weights": (LAMIROY, "eq. 10"),
    "consensus:precision.uniform_weights": (LAMIROY, "eq. 10"),
    "consensus:precision.consensus_of": (LAMIROY, "eqs. 11 and 12"),
    "consensus:precision.figures_of": (LAMIROY, "eqs. 11 and 12"),
    "consensus:precision.sums_of": (LAMIROY, "eqs. 11 and 12"),
    "consensus:precision.item_probability": (LAMIROY, "eq. 13"),
    "consensus:VoteRows.probability": (LAMIROY, "eq. 13"),
    "consensus:gram_of": (LAMIROY, "eqs. 11 to 13"),
    "consensus:alignment.align": (LAMIROY, "§4.2"),
    "consensus:best_path": ("Needleman & Wunsch (1970)", ""),
    "consensus:kendall": ("Kendall (1945)", ""),
    "consensus:spearman": ("Spearman (1904)", ""),
    "consensus:excess_agreement": ("Harman & Jones (1966)", ""),
    "consensus:dawid_skene": ("Dawid & Skene (1979)", ""),
    "consensus:fit_grouped": ("Dawid & Skene (1979)", ""),
    "consensus:KnownAnswers.weights": ("Horvitz & Thompson (1952)", ""),
    # uncertain truth
    "uncertain_truth:CategoryTree": (SANTINI, "eq. 5"),
    "uncertain_truth:judgements.direct_shares": (SANTINI, "eq. 7"),
    "uncertain_truth:judgements.relevance": (SANTINI, "eqs. 6 to 8"),
    "uncertain_truth:judgements.expected_size": (SANTINI, "eq. 9"),
    "uncertain_truth:answers.pmf": (SANTINI, "eq. 10"),
    "uncertain_truth:answers.relevant_counts": (SANTINI, "eq. 10"),
    "uncertain_truth:answers.measures_at": (SANTINI, "eqs. 11 to 14"),
    "uncertain_truth:answers.bands_of": (SANTINI, "eqs. 11 to 14"),
    "uncertain_truth:answers.mix": (SANTINI, "eqs. 13 and 14"),
    "ranking:weighted_displacement": (SANTINI, "eq. 17"),
    "ranking:quality": (SANTINI, "eq. 18"),
    # ranked lists
    "ranking:displacement.average_precision": (HAST, "eq. 3"),
    "ranking:displacement.mean_average_precision": (HAST, "eq. 3"),
    "ranking:choose_re_scoring": (HAST, "§3"),
    "ranking:re_score": (HAST, "§3"),
    "ranking:representative_queries": (HAST, "§4"),
    "ranking:difficult_queries": (HAST, "§4"),
    "ranking:Purge.suggestions": (HAST, "§6"),
    "ranking:fusion.normalise": ("Montague & Aslam (2001)", ""),
    "ranking:query_expansion.cr": (HAST, "§3"),
    "ranking:query_expansion.ml": (HAST, "§3"),
    "ranking:query_expansion.ml_cr": (HAST, "§3"),
    "ranking:query_expansion.qe": (HAST, "§3"),
    "ranking:query_expansion.ws": (HAST, "§3"),
    "ranking:query_expansion.alpha_qe": ("Radenović, Tolias & Chum (2019)", "§3.4"),
    "ranking:metasearch.borda": ("Aslam & Montague (2001)", "§3"),
    "ranking:metasearch.combanz": (SHAW, ""),
    "ranking:metasearch.combmnz": (SHAW, ""),
    "ranking:metasearch.combsum": (SHAW, ""),
    "ranking:augment": ("Turcot & Lowe (2009)", ""),
    "ranking:diffusion_matrix": (ISCEN, "eq. 4"),
    "ranking:diffuse": (ISCEN, "eqs. 3 to 6"),
    "ranking:encode": (ZHONG, "eqs. 7 and 11"),
    "ranking:compare_neighbours": (ZHONG, "eqs. 10 and 12"),
    "ranking:metasearch.reciprocal_rank": ("Cormack, Clarke & Büttcher (2009)", ""),
    # ink and outlines
    "imaging:otsu_threshold": ("Otsu (1979)", ""),
    "imaging:binarise": (SAUVOLA, ""),
    "imaging:Binariser": (SAUVOLA, ""),
    "imaging:outlines.isothetic_cover": ("Biswas, Bhowmick & Bhattacharya (2010)", ""),
    "imaging:outlines.ellipse": ("Khachiyan (1996)", ""),
    # symbols and words
    "spotting:curvature_spectrum": ("Kauppinen, Seppänen & Pietikäinen (1995)", ""),
    "spotting:hu_features": (HU, ""),
    "spotting:hu_invariants": (HU, "eq. 59"),
    "spotting:polygon_features": (LAMBERT, ""),
    "spotting:line_moments": (LAMBERT, ""),
    "spotting:simple_ratios": ("Stoyan & Stoyan (1994)", "ch. 8"),
    "spotting:Relational.spot": (RUSINOL, "§5.2"),
    "spotting:page_slant": ("Vinciarelli & Luettin (2001)", ""),
    "spotting:Projection.fit": ("Fisher (1936)", ""),
    "spotting:descriptor.describe": (DALAL, ""),
    "imaging:stroke_outline.pen_width": (PAVLIDIS, ""),
    "spotting:find_candidates": (UIJLINGS, "§3.1"),
    "spotting:strokes.pack": (HINTERSTOISSER, ""),
    "spotting:words.search.search": (HAST, "§3"),
}
